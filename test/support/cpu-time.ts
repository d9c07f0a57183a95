/** What a piece of work costs this process, in ms. Other processes, however busy, cost it nothing. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
