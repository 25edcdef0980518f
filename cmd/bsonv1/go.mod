module github.com/ttlpolicy/ttlpolicy/cmd/bsonv1

go 1.24.0

require (
	github.com/ttlpolicy/ttlpolicy v0.1.0
	go.mongodb.org/mongo-driver v1.10.1
	pgregory.net/rapid v1.1.0
)
