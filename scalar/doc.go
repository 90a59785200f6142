// Package scalar holds the values that the service spells in several ways on the wire, and the values that must not
// leak.
//
// The service writes one and the same thing differently from route to route: a timestamp is RFC 3339 text here and unix
// seconds in a string there, an amount is a string or a number. [Time], [Decimal] and [BigInt] read all of these
// spellings without losing a digit. They follow three rules:
//
//   - JSON null, like an absent field, is the type's zero value. A record that has to tell null from zero holds a
//     pointer.
//   - A JSON value of the wrong kind (an object where a time belongs) is an error that names the type and the kind.
//   - Text of the right kind that the type cannot read is kept where the type can keep it (Time, Decimal), so that one
//     odd field does not cost the whole response, and is an error everywhere else. It is never taken for zero.
//
// [Secret] and [SecretURL] hold credentials. No print verb, logger, encoder or error of this package shows what they
// hold. JSON output is redacted too, because a record that is marshalled is a log line sooner or later. Reveal is the
// way to the text, and [WithSecrets] the way to JSON that has the secrets in it, for a cache or to hand a record over.
// JSON that was redacted is not read back.
//
// The zero value of every type is ready for use, and all of them work as struct fields, behind pointers and as map
// values with encoding/json and with its second version.
package scalar
