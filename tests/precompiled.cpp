// Holds the precompiled headers that tests share; has no code of its own.
