// Package fleet describes an account that an emulator is to begin with: its users, teams, tags, endpoints with what
// went through them, destinations, notifications and the data of the graph area. A program fills in a [Fleet] and hands
// it to Emulator.Populate, or reads one from a file of JSON with [Read]. The emulator's binary reads YAML as well.
//
// Things of a fleet name each other by what people call them: a team names its members by their email addresses and its
// endpoints by their labels, and a notification names its destinations by their names.
package fleet

// Fleet is what an account has. All of it is optional.
type Fleet struct {
	// Account is the account itself.
	Account Account `json:"account"`
	// Users are further users of the account. The primary user is there already.
	Users []User `json:"users"`
	// Tags are labels of tags that are to exist, on an endpoint or not. Those of endpoints need not be among them.
	Tags []string `json:"tags"`
	// Endpoints are created in this order.
	Endpoints []Endpoint `json:"endpoints"`
	// Teams are created in this order.
	Teams []Team `json:"teams"`
	// Destinations are webhooks of the alerts area. Each has a name of its own.
	Destinations []Destination `json:"destinations"`
	// Notifications are created in this order.
	Notifications []Notification `json:"notifications"`
	// Graph is about the data of the graph area.
	Graph Graph `json:"graph"`
}

// Account is the account itself. What is empty stays as it is.
type Account struct {
	// Name is the name of the account.
	Name string `json:"name"`
	// Plan is the name of the plan. It decides nothing.
	Plan string `json:"plan"`
	// ToolingAccess enables the access for tooling.
	ToolingAccess bool `json:"tooling_access"`
}

// User is a user of the account.
type User struct {
	// Email is an address that no other user has.
	Email string `json:"email"`
	// FullName is needed.
	FullName string `json:"full_name"`
	// Role is admin, viewer or billing, and needed.
	Role string `json:"role"`
	// Pending says that the user has not accepted the invitation.
	Pending bool `json:"pending"`
}

// Team is a team of the account.
type Team struct {
	// Name has at least four characters.
	Name string `json:"name"`
	// Members are the email addresses of users of the fleet or the account.
	Members []string `json:"members"`
	// Endpoints are the labels of endpoints of the fleet that are assigned to the team.
	Endpoints []string `json:"endpoints"`
}
