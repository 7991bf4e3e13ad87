"""The running product without Qt: threads, health, control, local socket, single instance, trace, doctor.

In: the domain packages, put together by `app`. Out: `Product`, the one object that the window, the command line and
(later) MCP talk to. It may touch what its parts touch, and the local socket. Start with `product`.
"""
