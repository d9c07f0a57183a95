/**
 * The user id of the server's owner. Only two ways of sign-in give it: a request from this machine without a token, and
 * a token that the owner has made for themselves. No application's user and no named user of a token can have it.
 */
export const LOCAL_USER = 'local'
