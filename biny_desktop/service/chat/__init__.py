"""Chats as a front end uses them: one desk that shows sessions, runs turns in their own threads and tells of them."""
