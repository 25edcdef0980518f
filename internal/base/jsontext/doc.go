// Package jsontext is the grammar of JSON over raw text (RFC 8259), without making
// values of it.
//
// Three readers share it. [Check] reads text that nobody has checked, fast, and says yes
// or no; a [Scanner] reads the same language at a fraction of the speed, and says what is
// wrong and where; [Find], [Cursor] and the functions that skip pass over text that has
// been checked. For unchecked text the third kind returns some result, and always ends.
package jsontext
