const channel = new BroadcastChannel('dragoman')

/** Tells the other tabs of this browser that something has changed. */
export function announceChange(): void {
  channel.postMessage('changed')
}

/** Calls back when another tab has changed something. */
export function onChangeElsewhere(act: () => void): void {
  channel.addEventListener('message', act)
}
