package rpcfleet

// Version is the version of this library, as the User-Agent header carries it.
const Version = "0.1.0"
