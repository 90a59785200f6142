// Package scalar defines types for values that the service sends in several formats, and for values that must not leak.
//
// The formats differ from route to route: an amount is a string or a number. [Decimal] and [BigInt] read both without
// losing a digit. They follow three rules:
//
//   - JSON null, like an absent field, is the type's zero value.
//   - A JSON value of the wrong kind (an object instead of a number) is an error that names the type and the kind.
//   - If a text is not a number, Decimal keeps it, so that one odd field does not fail the whole response, and BigInt
//     returns an error. Neither returns zero instead.
//
// [Secret] and [SecretURL] contain credentials. They are redacted by all print verbs, loggers, encoders and errors of
// this package. JSON is redacted too, because marshaled records end up in logs. Reveal returns the text, and
// [WithSecrets] writes JSON with the secrets, for a cache or another program. What was written
// redacted is read back as redacted, and no request accepts it.
//
// The zero value of each type is ready for use. All types work as struct fields, behind pointers and as map values,
// with encoding/json and encoding/json/v2.
package scalar
