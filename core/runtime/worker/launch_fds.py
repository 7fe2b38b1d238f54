"""The numbers of the descriptors between supervisor and shim."""

REQUESTS_FD, REPLIES_FD = 3, 4
