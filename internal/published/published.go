// Package published holds the addresses at which the project is, or will be, published. A test
// refuses these addresses elsewhere in the code, and compares those in README.md and in the
// package for npm with them.
package published

// Repository is the address of the repository.
const Repository = "https://github.com/ttlpolicy/ttlpolicy"

// Site is the address of the reference, once the first push has published it.
const Site = "https://ttlpolicy.github.io/ttlpolicy/"
