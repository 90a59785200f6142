module consumer.example/fleet

go 1.26.0

require github.com/rpcfleet/rpcfleet-go v0.0.0

replace github.com/rpcfleet/rpcfleet-go => ../../
