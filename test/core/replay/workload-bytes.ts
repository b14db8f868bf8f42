/** One record of a workload file, in the words of its format. */
export interface WorkloadRecord {
  readonly operation: number;
  readonly side: number;
  readonly quantity: number;
  readonly price: bigint;
  readonly orderId: bigint;
}

/** The bytes of a workload file. `header` overrides what its header says, word by word. */
export function workloadBytes(
  prefill: readonly WorkloadRecord[],
  commands: readonly WorkloadRecord[],
  header: Readonly<Record<number, number>> = {},
): Uint8Array {
  const records = [...prefill, ...commands];
  const bytes = new DataView(new ArrayBuffer(32 * (1 + records.length)));
  const words = [0x57424f4c, 1, prefill.length, commands.length, 0, 0, 0, 0];
  words.forEach((word, index) => {
    bytes.setUint32(4 * index, header[index] ?? word, true);
  });
  records.forEach(({ operation, side, quantity, price, orderId }, index) => {
    const at = 32 * (1 + index);
    bytes.setUint8(at, operation);
    bytes.setUint8(at + 1, side);
    bytes.setUint32(at + 4, quantity, true);
    bytes.setBigUint64(at + 8, price, true);
    bytes.setBigUint64(at + 16, orderId, true);
    bytes.setUint32(at + 24, 1 + (index % 7), true);
    bytes.setUint32(at + 28, index, true);
  });
  return new Uint8Array(bytes.buffer);
}
