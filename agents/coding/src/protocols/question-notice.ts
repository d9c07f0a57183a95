/** What a client reads that shows no questions of its own: where the user can answer one. */
export const QUESTION_NOTICE =
  'This needs your answer before it runs. Answer in the inbox of the console (/console/inbox of this server), ' +
  'or in a terminal: dragoman questions'
