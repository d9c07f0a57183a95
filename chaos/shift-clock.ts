/** Sets this process's clock forward by so many ms, or back. */
export function shiftClock(ms: number): void {
  const RealDate = Date
  const realNow = Date.now
  const now = (): number => realNow() + ms
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, args: []) => (args.length === 0 ? new target(now()) : new target(...args)),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
}
