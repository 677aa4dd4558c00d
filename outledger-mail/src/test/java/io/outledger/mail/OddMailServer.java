// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * An SMTP server that answers as it is told: to a command's first word, to the greeting ({@code
 * CONNECT}) and to the end of a mail ({@code .}).
 */
final class OddMailServer implements AutoCloseable {

  /** In place of an answer: the connection is closed. */
  static final String CLOSE = "close";

  /** In place of an answer: nothing, however long one waits. */
  static final String SILENCE = "silence";

  /** In place of an answer: bytes one by one, and never the end of a line. */
  static final String DRIP = "drip";

  private final ServerSocket socket;
  private final Map<String, String> answers =
      new ConcurrentHashMap<>(Map.of("CONNECT", "220 odd", "EHLO", "250 odd", "DATA", "354 go on"));
  private final Map<String, String> answersAndCloses = new ConcurrentHashMap<>();
  private final Queue<String> commands = new ConcurrentLinkedQueue<>();
  private final Queue<String> mails = new ConcurrentLinkedQueue<>();
  private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final @Nullable SSLContext tls;

  OddMailServer() {
    this(null);
  }

  /** Offers STARTTLS if it is given a context. */
  OddMailServer(@Nullable SSLContext tls) {
    this.tls = tls;
    if (tls != null) {
      answers.put("EHLO", "250-odd\r\n250 STARTTLS");
    }
    try {
      socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  OddMailServer answering(String command, String answer) {
    answers.put(command, answer);
    return this;
  }

  /** Gives an answer to each mail that has this text in it, and closes the connection. */
  OddMailServer answeringAndClosingAt(String text, String answer) {
    answersAndCloses.put(text, answer);
    return this;
  }

  MailServer server() {
    return MailServer.unencrypted("127.0.0.1", socket.getLocalPort());
  }

  int port() {
    return socket.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  Queue<String> commands() {
    return commands;
  }

  /** Returns the mails that were given whole, whatever the answer to them. */
  Queue<String> mails() {
    return mails;
  }

  /** Ends the connections that are open, as a server does with those that nobody uses. */
  void endConnections() throws IOException {
    for (Socket one : open) {
      one.close();
    }
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket accepted = socket.accept();
        open.add(accepted);
        connections.incrementAndGet();
        start(() -> serve(accepted));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket accepted) {
    try (accepted) {
      if (talk(accepted, "CONNECT")) {
        SSLContext context = tls;
        if (context != null) {
          SSLSocketFactory factory = context.getSocketFactory();
          talk(factory.createSocket(accepted, (InputStream) null, true), "TLS");
        }
      }
    } catch (IOException e) {
      commands.add("ended by the client");
    }
  }

  /** Returns true where TLS is to begin. */
  private boolean talk(Socket line, String first) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(line.getInputStream(), ISO_8859_1));
    if (first.equals("CONNECT") && !answer(line, first)) {
      return false;
    }
    for (String command = in.readLine(); command != null; command = in.readLine()) {
      commands.add(command);
      String word = command.split("[ :]", 2)[0];
      if (word.equals("STARTTLS")) {
        line.getOutputStream().write("220 go on\r\n".getBytes(ISO_8859_1));
        return true;
      }
      boolean isAnswered = answer(line, word);
      if (isAnswered
          && word.equals("DATA")
          && String.valueOf(answers.get(word)).startsWith("354")) {
        String mail = readMail(in);
        isAnswered = mail != null && answerMail(line, mail);
      }
      if (!isAnswered) {
        return false;
      }
    }
    return false;
  }

  private @Nullable String readMail(BufferedReader in) throws IOException {
    StringBuilder mail = new StringBuilder();
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      if (text.equals(".")) {
        mails.add(mail.toString());
        return mail.toString();
      }
      mail.append(text).append('\n');
    }
    return null;
  }

  private boolean answerMail(Socket line, String mail) throws IOException {
    for (Map.Entry<String, String> odd : answersAndCloses.entrySet()) {
      if (mail.contains(odd.getKey())) {
        boolean unused = give(line, odd.getValue());
        return false;
      }
    }
    return answer(line, ".");
  }

  private boolean answer(Socket line, String command) throws IOException {
    return give(line, answers.getOrDefault(command, "250 ok"));
  }

  private boolean give(Socket line, String answer) throws IOException {
    OutputStream out = line.getOutputStream();
    switch (answer) {
      case CLOSE -> {
        return false;
      }
      case SILENCE -> {
        line.getInputStream().read(); // until the client gives up
        return false;
      }
      case DRIP -> {
        while (!socket.isClosed()) { // until the client is tired of it
          out.write('2');
          out.flush();
        }
        return false;
      }
      default -> {
        out.write((answer + "\r\n").getBytes(ISO_8859_1));
        out.flush();
        return true;
      }
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "odd mail server");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    endConnections();
  }
}
