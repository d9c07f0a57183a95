/** More different ones are not problems. */
const MAX_WARNINGS = 100

/** Passes each warning on once: a provider may send the same in each answer. */
export function warnOnce(warn: (problem: string) => void = () => undefined): (problem: string) => void {
  const problems = new Set<string>()
  return (problem) => {
    if (problems.has(problem) || problems.size >= MAX_WARNINGS) return
    problems.add(problem)
    warn(problem)
  }
}
