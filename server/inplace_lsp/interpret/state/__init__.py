"""What a variable can hold, and where: values, frames, memory layouts, the paths taken, the facts of other files."""
