"""What the studio has done in confined processes (`engine.client`): each module asks for one kind of work."""
