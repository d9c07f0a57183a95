export { userMigrations } from './tables.ts'
export { LOCAL_USER, tokens, type Token, type Tokens } from './tokens.ts'
export { watchTokens } from './watch.ts'
