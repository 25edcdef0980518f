package dump

// A framer finds where documents begin and end, and does not look into them.
type framer interface {
	// frame appends to spans the whole documents that data begins with. It
	// reports how many bytes of data are dealt with; the rest is seen again
	// with more behind it. final says that nothing follows data.
	//
	// Trouble at the very first document is returned as damage, and the
	// bytes dealt with then include what is to be skipped. Trouble behind
	// good documents is left for the next call.
	frame(data []byte, final bool, spans []Span) (out []Span, settled int, bad *damage)
}

// damage is what is wrong with the first document of a framer's data.
type damage struct {
	at        int // where the document begins within the data
	err       error
	skippable bool
}

// framerFor returns the framer of an input whose kind the user named.
func framerFor(k Kind, head []byte) (f framer, skip int, err error) {
	switch k {
	case BSON:
		return bsonFramer{}, 0, nil
	case ExtJSON, JSON:
		return sniffText(head)
	}
	return sniff(head)
}
