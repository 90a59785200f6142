package acceptance

// toolingPlayer switches the account's tooling access. There is one of it.
type toolingPlayer struct {
	*soaker
	on bool
}

func (p *toolingPlayer) play() {
	ctx := p.t.Context()
	switch p.IntN(4) {
	case 0:
		p.on = !p.on
		change := p.client.Tooling.Disable
		if p.on {
			change = p.client.Tooling.Enable
		}
		p.set("updateToolingAccess", func() error {
			update, err := change(ctx)
			if err == nil {
				p.same("tooling access after a change", p.on, update.Enabled)
			}
			return err
		}, func() (bool, error) {
			access, err := p.client.Tooling.Status(ctx)
			return err == nil && access.Enabled == p.on, err
		})
	case 1:
		if p.on {
			p.mayBeDone("createToolingToken", second(p.client.Tooling.CreateToken(ctx)))
		}
	default:
		access, err := p.client.Tooling.Status(ctx)
		if p.came("getToolingAccess", err) {
			p.same("tooling access", p.on, access.Enabled)
		}
	}
}

func (p *toolingPlayer) verify(*soakState) {
	access, err := p.clean.Tooling.Status(p.t.Context())
	if p.came("getToolingAccess", err) {
		p.same("tooling access in the end", p.on, access.Enabled)
	}
}
