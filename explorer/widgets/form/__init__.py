"""The form of a tool on the screen: rows with an editor each, over the model of ``explorer.services.form_model``."""
