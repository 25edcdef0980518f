package forecast

import (
	"bytes"
	"fmt"
	"strconv"
)

// Numbers are whole numbers, the bulk of a record. Their JSON is read several times as fast
// as by encoding/json.
type Numbers []int64

// UnmarshalJSON reads an array of whole numbers.
func (n *Numbers) UnmarshalJSON(text []byte) error {
	*n = nil
	inside, ok := bytes.CutPrefix(text, []byte("["))
	if !ok {
		return fmt.Errorf("want an array of whole numbers, got %.20s", text)
	}
	inside = bytes.TrimSpace(inside[:len(inside)-1])
	if len(inside) == 0 {
		return nil
	}
	*n = make(Numbers, 0, bytes.Count(inside, []byte(","))+1)
	for one := range bytes.SplitSeq(inside, []byte(",")) {
		i, err := strconv.ParseInt(string(bytes.TrimSpace(one)), 10, 64)
		if err != nil {
			return fmt.Errorf("want whole numbers up to 64 bits: %w", err)
		}
		*n = append(*n, i)
	}
	return nil
}
