"""SKILL.md files: reading them, the rules they are held to, and what executing one gives (design: language, part 6)."""
