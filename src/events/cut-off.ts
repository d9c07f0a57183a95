/** What a model is told, in the user's role, where its answer was cut off and is to be gone on with. */
export const CUT_OFF =
  'Your answer was cut off at this point: the server was interrupted. Go on from its very last word, in the same language. Repeat nothing of it, and do not speak of the interruption.'
