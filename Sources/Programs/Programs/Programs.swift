// Has only dependencies: building this target builds both programs on all cores.
