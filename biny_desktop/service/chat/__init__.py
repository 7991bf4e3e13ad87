"""Chats as a front end uses them: one desk that shows sessions, runs turns in threads of their own and tells of them."""
