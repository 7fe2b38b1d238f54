"""The rules, one module for each family; emitters import the constant, so that a code is written once."""
