"""What a study promises and reports: plan, preregistration, report and package."""
