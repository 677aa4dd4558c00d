// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.contracts.Fuzz;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Adds entries of any fields by a raw socket. */
final class RedisFuzz implements AutoCloseable {

  private final Socket socket;
  private final BufferedReader answers;

  RedisFuzz(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean send(String stream, Fuzz fuzz) {
    List<byte[]> words = new ArrayList<>();
    List.of("XADD", stream, "*").forEach(word -> words.add(word.getBytes(UTF_8)));
    fuzz.headers(RedisBinding.PREFIX, fuzz::text)
        .forEach(
            (name, value) -> {
              words.add(odd(fuzz, name));
              words.add(odd(fuzz, value));
            });
    words.add(odd(fuzz, RedisBinding.PAYLOAD));
    words.add(fuzz.bytes(fuzz.isOneIn(50) ? 1 << 20 : 100));
    try {
      socket.getOutputStream().write(command(words));
      String first = answers.readLine();
      return first.startsWith("$") && answers.readLine() != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An id stays what it is, since it is no other's. */
  private static byte[] odd(Fuzz fuzz, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return fuzz.isOneIn(30) && !text.startsWith("fuzz-") ? fuzz.mutated(bytes) : bytes;
  }

  private static byte[] command(List<byte[]> words) {
    ByteArrayOutputStream command = new ByteArrayOutputStream();
    command.writeBytes(("*" + words.size() + "\r\n").getBytes(UTF_8));
    for (byte[] word : words) {
      command.writeBytes(("$" + word.length + "\r\n").getBytes(UTF_8));
      command.writeBytes(word);
      command.writeBytes(new byte[] {'\r', '\n'});
    }
    return command.toByteArray();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
