#!/bin/bash -eu
# Builds fuzz targets as OSS-Fuzz runs them, with libFuzzer. Its builder turns the test
# files of a package into ordinary ones with another testing.F, so that a target must
# call f.Fuzz itself; those that hand f on to internal/fuzzing run by .ci/fuzz alone.
# TestOSSFuzz holds this list to the code.
cd "$SRC/ttlpolicy"

# Examples in packages of their own cannot be among the files of the package.
git ls-files '*_test.go' | xargs grep -l -E '^package [a-z]+_test$' | xargs rm

target() { # target FOLDER NAME
	compile_native_go_fuzzer_v2 "github.com/ttlpolicy/ttlpolicy/$1" "$2" "$(tr / _ <<<"$1")_$2"
}
target cmd/internal/input FuzzText
target cmd/internal/judging/audit FuzzAudit
target cmd/internal/judging/part FuzzPart
target cmd/internal/judging/plan FuzzReadFile
target cmd/internal/reading/catalog FuzzMentionsIn
target cmd/internal/reading/catalog FuzzRead
target cmd/internal/reading/catalog FuzzTerraform
target cmd/internal/reading/dump FuzzArchive
target cmd/internal/reading/dump FuzzDialects
target cmd/internal/reading/dump FuzzNext
target cmd/internal/reading/live FuzzReplies
target cmd/internal/reading/namespace FuzzParse
target cmd/internal/reading/policyflags FuzzParse
target cmd/reading/mentions FuzzIn
target cmd/reading/mongosh FuzzCalls
target cmd/reading/pasted FuzzRead
target cmd/wire FuzzRead
target conformance/lab/wirettl FuzzRequest
target conformance/protocol FuzzAnswer
target conformance/protocol FuzzReply
target cosmos FuzzDecideJSON
target cosmos FuzzParseContainerSpec
target cosmos FuzzStamp
target cosmos FuzzValidateContainer
target cosmos FuzzValidateItem
target docs/site/playground FuzzOf
target internal/members FuzzCut
target internal/mongo/filter FuzzCompileFilter
target internal/suite/jsonfile FuzzParse
target mongo FuzzDecideBSON
target mongo FuzzParseVersion
target mongo FuzzStoredCollection
target mongo/command FuzzValidateCreate
target policy FuzzFinder
target policy FuzzStoredDecision
