module github.com/ttlpolicy/ttlpolicy/cmd/bsonv2

go 1.25.0

require (
	github.com/ttlpolicy/ttlpolicy v0.1.0
	go.mongodb.org/mongo-driver/v2 v2.9.3
	pgregory.net/rapid v1.3.0
)
