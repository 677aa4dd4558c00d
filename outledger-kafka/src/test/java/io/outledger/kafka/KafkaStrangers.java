// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.contracts.Fuzz;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;

/** Produces batches of records by a raw socket whose bytes no client has checked. */
final class KafkaStrangers implements AutoCloseable {

  private static final short VERSION = 9;
  private static final int CRC_AT = 17;
  private static final int ATTRIBUTES_AT = 21;
  private static final int RECORDS_AT = 61;
  private static final int LENGTH_AT = 8;
  private static final int HEADERS_MANY = 60_000;

  private final int port;
  private final String topic;
  private int correlation;
  private @Nullable Socket socket;

  KafkaStrangers(String server, String topic) {
    this.port = Integer.parseInt(server.substring(server.indexOf(':') + 1));
    this.topic = topic;
  }

  Map<String, Runnable> named() {
    Map<String, byte[]> batches = new LinkedHashMap<>();
    batches.put("no CloudEvent", batch(CompressionType.NONE, record()));
    Header odd = new RecordHeader("h", new byte[] {(byte) 0xff});
    Header[] many = new Header[HEADERS_MANY];
    Arrays.fill(many, odd);
    batches.put("many headers", batch(CompressionType.ZSTD, record(many)));
    byte[] header = batch(CompressionType.NONE, record(new RecordHeader("name", null)));
    int name = indexOf(header, "name".getBytes(UTF_8));
    header[name] = (byte) 0xff;
    batches.put("header whose name is not UTF-8", sealed(header));
    batches.put("bytes that expand", batch(CompressionType.ZSTD, large()));
    Map<String, Runnable> strangers = new LinkedHashMap<>();
    batches.forEach((what, batch) -> strangers.put(what, () -> sendTaken(what, batch)));
    return strangers;
  }

  private static SimpleRecord record(Header... headers) {
    return new SimpleRecord(System.currentTimeMillis(), null, "x".getBytes(UTF_8), headers);
  }

  /** More than a receiver takes, and than it may lack the memory for. */
  private static SimpleRecord large() {
    return new SimpleRecord(System.currentTimeMillis(), null, new byte[40 << 20]);
  }

  private static int indexOf(byte[] all, byte[] part) {
    int at = 0;
    while (!Arrays.equals(all, at, at + part.length, part, 0, part.length)) {
      at++;
    }
    return at;
  }

  private static byte[] batch(CompressionType type, SimpleRecord... records) {
    MemoryRecords made = MemoryRecords.withRecords(Compression.of(type).build(), records);
    byte[] bytes = new byte[made.sizeInBytes()];
    made.buffer().duplicate().get(bytes);
    return bytes;
  }

  /** With the length and the checksum of what is in it. */
  private static byte[] sealed(byte[] batch) {
    ByteBuffer bytes = ByteBuffer.wrap(batch);
    bytes.putInt(LENGTH_AT, batch.length - LENGTH_AT - 4);
    CRC32C crc = new CRC32C();
    crc.update(batch, ATTRIBUTES_AT, batch.length - ATTRIBUTES_AT);
    bytes.putInt(CRC_AT, (int) crc.getValue());
    return batch;
  }

  boolean send(Fuzz fuzz) {
    List<Header> headers = new ArrayList<>();
    fuzz.headers("ce_", fuzz::text)
        .forEach(
            (name, text) ->
                headers.add(
                    new RecordHeader(name, fuzz.isOneIn(20) ? null : text.getBytes(UTF_8))));
    SimpleRecord record =
        new SimpleRecord(
            System.currentTimeMillis(),
            fuzz.isOneIn(2) ? null : fuzz.bytes(50),
            fuzz.isOneIn(10) ? null : fuzz.bytes(fuzz.isOneIn(50) ? 300_000 : 100),
            headers.toArray(new Header[0]));
    byte[] batch = batch(fuzz.oneOf(CompressionType.values()), record);
    return send(fuzz.isOneIn(2) ? odd(fuzz, batch) : batch);
  }

  private static byte[] odd(Fuzz fuzz, byte[] batch) {
    byte[] records = fuzz.mutated(Arrays.copyOfRange(batch, RECORDS_AT, batch.length));
    byte[] all = Arrays.copyOf(batch, RECORDS_AT + records.length);
    System.arraycopy(records, 0, all, RECORDS_AT, records.length);
    if (fuzz.isOneIn(5)) {
      all[ATTRIBUTES_AT + 1] = (byte) fuzz.below(5); // another compression
    }
    return sealed(all);
  }

  private void sendTaken(String what, byte[] batch) {
    if (!send(batch)) {
      throw new AssertionError("the broker refused " + what);
    }
  }

  private boolean send(byte[] batch) {
    ProduceRequestData.PartitionProduceData partition =
        new ProduceRequestData.PartitionProduceData()
            .setIndex(0)
            .setRecords(MemoryRecords.readableRecords(ByteBuffer.wrap(batch)));
    ProduceRequestData.TopicProduceDataCollection topics =
        new ProduceRequestData.TopicProduceDataCollection();
    topics.add(
        new ProduceRequestData.TopicProduceData()
            .setName(topic)
            .setPartitionData(List.of(partition)));
    ProduceRequestData data =
        new ProduceRequestData().setAcks((short) -1).setTimeoutMs(10_000).setTopicData(topics);
    RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, VERSION, "stranger", ++correlation);
    try {
      Socket open = open();
      ByteBuffer request = new ProduceRequest(data, VERSION).serializeWithHeader(header);
      DataOutputStream out = new DataOutputStream(open.getOutputStream());
      out.writeInt(request.remaining());
      out.write(request.array(), request.arrayOffset() + request.position(), request.remaining());
      out.flush();
      DataInputStream in = new DataInputStream(open.getInputStream());
      byte[] answer = new byte[in.readInt()];
      in.readFully(answer);
      return isTaken(AbstractResponse.parseResponse(ByteBuffer.wrap(answer), header));
    } catch (IOException e) { // the broker hung up
      close();
      return false;
    }
  }

  private static boolean isTaken(AbstractResponse response) {
    return ((ProduceResponse) response)
        .data().responses().stream()
            .flatMap(each -> each.partitionResponses().stream())
            .allMatch(partition -> partition.errorCode() == 0);
  }

  private Socket open() throws IOException {
    Socket open = socket;
    if (open == null) {
      open = new Socket(InetAddress.getLoopbackAddress(), port);
      open.setSoTimeout(20_000);
      socket = open;
    }
    return open;
  }

  @Override
  public void close() {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      socket = null;
    }
  }
}
