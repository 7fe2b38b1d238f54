"""Forms for JSON Schemas, without a screen: schema to fields to arguments, and back."""
