/** Asks for each path once. */
export function askOnce<Answer>(ask: (path: string) => Promise<Answer>): (path: string) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>()
  return (path) => {
    const answer = answers.get(path) ?? ask(path)
    answers.set(path, answer)
    return answer
  }
}
