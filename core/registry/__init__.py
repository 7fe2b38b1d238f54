"""What is kept between runs in the user's state folder: approvals and history."""
