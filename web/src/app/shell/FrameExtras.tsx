// What belongs to every page of who is signed in and has no place in the flow: settings panel, notices.
export function FrameExtras() {
  return null
}
