// Package rulebook gathers all that is known about each rule into one page:
// what it says, the releases it holds for, where that is established, the
// vectors that show it, the rules it is confused with.
//
// [New] makes the book from the two catalogues and the vectors, so that a page
// can hold nothing that they do not. [Page.Markdown] is a page for a code host;
// package site makes HTML of the same pages. What prose belongs to the pages
// alone stands in two tables: topics.go and neighbours.go.
package rulebook
