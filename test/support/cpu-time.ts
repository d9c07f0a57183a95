/** What a piece of work costs this process, in ms. Other processes, however busy, cost it nothing. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return since(before)
}

/** The same of work that takes turns with other work; what its threads cost is counted. */
export async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return since(before)
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
