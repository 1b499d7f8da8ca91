// Pixels of every chart: its height, and the room for words below and above the bars.
export const [HEIGHT, BOTTOM, TOP] = [268, 34, 10]
