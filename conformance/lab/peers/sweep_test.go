package peers

import (
	"encoding/binary"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The names of the sides that are limits of a sweep, and of the sweep by two goroutines.
const (
	readBandwidth = "read bandwidth"
	lengthWalk    = "following the lengths alone"
	twoGoroutines = "2 goroutines"
)

// sweep makes a work over a sequence of documents, whose number and bytes the Size
// bounds.
func sweep(name string, k kind[Shape], p Place, sides func(Documents) []Side) maker {
	return func(size Size) Work {
		d := MakeDocuments(k.shape.At(p), size.Sweep, size.SweepBytes)
		return Work{Name: "sweep of " + k.name + name, Block: max(1, d.Len()/200), Sides: sides(d)}
	}
}

// sweepsLast returns the sweeps that count expired documents whose date is last.
func sweepsLast() []maker {
	return []maker{
		sweep(", date last", small, Last, func(d Documents) []Side {
			return append(sweepSides(d), sweepOf(intoStruct, d, byDate.structs()), sweepOf(intoMap, d, byDate.maps))
		}),
		byTwo,
	}
}

// byTwo compares two goroutines with one.
func byTwo(size Size) Work {
	return sweep(" by 2 goroutines", small, Last, func(d Documents) []Side {
		one := sweepOurs(d)
		one.Cold = true
		return []Side{one, inHalves(twoGoroutines, one)}
	})(size)
}

// sweepsFirst returns the sweeps that read only the beginning of each document, and so
// wait for memory. The sides find the documents by their lengths, or by given offsets.
func sweepsFirst() []maker {
	byOffsets := func(k kind[Shape]) maker {
		return sweep(" by offsets, date first", k, First, func(d Documents) []Side {
			return []Side{cold(byDate.ours(d)), cold(sideOf(driverLookup, d.All(), byDate.lookup))}
		})
	}
	byLengths := func(k kind[Shape]) maker { return sweep(", date first", k, First, sweepSides) }
	return []maker{byLengths(small), byOffsets(medium), byOffsets(large), byLengths(medium), byLengths(large)}
}

func sweepSides(d Documents) []Side {
	return []Side{
		sweepOurs(d),
		cold(sweepOf(driverLookup, d, byDate.lookup)),
		cold(Side{Name: readBandwidth, Apart: true, N: d.Len(), Do: readingBytes(d)}),
		cold(Side{Name: lengthWalk, Apart: true, N: d.Len(), Do: func(from, to int) (sum int64) {
			walk(d, from, to, func(doc []byte) { sum += int64(len(doc)) })
			return sum
		}}),
	}
}

func sweepOurs(d Documents) Side {
	x := byDate.index()
	return Side{Name: Ours, N: d.Len(), Cold: true, Do: func(from, to int) (count int64) {
		for _, doc := range rawbson.Split(d.Bytes[d.Offsets[from]:d.Offsets[to]]) {
			count += b2i(x.DecideBSON(doc, Now).State == policy.Expired)
		}
		return count
	}}
}

// sweepOf returns a side that walks the documents, and counts those for which expired
// returns true.
func sweepOf(name string, d Documents, expired func(doc []byte) bool) Side {
	return Side{Name: name, N: d.Len(), Do: func(from, to int) (count int64) {
		walk(d, from, to, func(doc []byte) { count += b2i(expired(doc)) })
		return count
	}}
}

func cold(s Side) Side {
	s.Cold = true
	return s
}

// walk finds documents by their lengths, as a reader of a file does. It uses the offsets
// only to start and to stop.
func walk(d Documents, from, to int, visit func(doc []byte)) {
	rest := d.Bytes[d.Offsets[from]:d.Offsets[to]]
	for len(rest) > 4 {
		n := binary.LittleEndian.Uint32(rest)
		visit(rest[:n])
		rest = rest[n:]
	}
}

// readingBytes copies the documents' bytes into a buffer that stays in the cache.
func readingBytes(d Documents) func(from, to int) int64 {
	buffer := make([]byte, 32<<10)
	return func(from, to int) (sum int64) {
		rest := d.Bytes[d.Offsets[from]:d.Offsets[to]]
		for len(rest) > 0 {
			n := copy(buffer, rest)
			sum += int64(buffer[n-1])
			rest = rest[n:]
		}
		return sum
	}
}

// inHalves gives half of the inputs to another goroutine.
func inHalves(name string, s Side) Side {
	do := s.Do
	s.Name = name
	s.Do = func(from, to int) int64 {
		var second int64
		var wait sync.WaitGroup
		half := from + (to-from)/2
		wait.Go(func() { second = do(half, to) })
		first := do(from, half)
		wait.Wait()
		return first + second
	}
	return s
}
