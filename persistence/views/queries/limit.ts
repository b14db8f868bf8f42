/**
 * A bound limit. Bare, SQLite would look at its value while it plans and prepare the statement anew
 * each time that one is bound, which costs more than most scans.
 */
export const BOUND_LIMIT = 'LIMIT ? + 0';
