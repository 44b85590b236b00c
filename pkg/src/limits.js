// @ts-check

// The limits of the core, checked before anything is copied into its memory, which never shrinks.

export const MAX_TEXT_BYTES = 8 * 1024 * 1024;
export const MAX_JSON_BYTES = 4 * MAX_TEXT_BYTES;
export const MAX_DEPTH = 32;
export const MAX_VALUES = 1_000_000;
