// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyIT {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final int BRIEF_MS = 500;

  private final AtomicInteger requests = new AtomicInteger();
  private ServerSocket echo;
  private TcpProxy proxy;

  @BeforeEach
  void open() throws IOException {
    // Not a port the kernel chooses: one that is closed may connect to itself, and answer itself.
    echo = new ServerSocket(Ports.free(), 50, Ports.loopback());
    ProxiedConnection.run("echo", this::serve);
    proxy = TcpProxy.before(echo.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    echo.close();
  }

  @Test
  void passesBothWaysAndEndsWithItsClient() throws IOException {
    try (Socket client = client()) {
      assertThat(ask(client, 7)).isEqualTo(7);
      assertThat(proxy.connectionCount()).isEqualTo(1);
    }
    Await.until("the connection ends", SOON, () -> proxy.connectionCount() == 0);
  }

  @Test
  void cutBreaksConnectionsAndTakesNewOnes() throws IOException {
    try (Socket client = client()) {
      assertThat(ask(client, 1)).isEqualTo(1);
      proxy.cut();
      assertThatThrownBy(() -> ask(client, 2)).isInstanceOf(SocketException.class);
    }
    try (Socket client = client()) {
      assertThat(ask(client, 3)).isEqualTo(3);
    }
  }

  @Test
  void refusesUntilItPassesAgainOnTheSamePort() throws IOException {
    proxy.refuse();
    assertThatThrownBy(this::askNewly).isInstanceOf(SocketException.class);
    proxy.pass();
    try (Socket client = client()) {
      assertThat(ask(client, 4)).isEqualTo(4);
    }
  }

  @Test
  void leadsToAnotherServerFromNowOn() throws IOException {
    try (Socket client = client();
        ServerSocket other = new ServerSocket(Ports.free(), 50, Ports.loopback())) {
      assertThat(ask(client, 1)).isEqualTo(1);
      proxy.leadTo(other.getLocalPort());
      assertThatThrownBy(() -> ask(client, 2)).isInstanceOf(SocketException.class);
      try (Socket again = client();
          Socket accepted = other.accept()) {
        again.getOutputStream().write(3);
        assertThat(accepted.getInputStream().read()).isEqualTo(3);
      }
    }
  }

  @Test
  void swallowedReplyWasARequestThatTheServerSaw() throws IOException {
    try (Socket client = client()) {
      client.setSoTimeout(BRIEF_MS);
      proxy.swallowReplies();
      assertThatThrownBy(() -> ask(client, 5)).isInstanceOf(SocketTimeoutException.class);
      assertThat(requests).hasValue(1);
      proxy.pass();
      assertThatThrownBy(() -> ask(client, 6)).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void swallowedRequestNeverReachesTheServer() throws IOException {
    try (Socket client = client()) {
      client.setSoTimeout(BRIEF_MS);
      proxy.swallowRequests();
      assertThatThrownBy(() -> ask(client, 5)).isInstanceOf(SocketTimeoutException.class);
      assertThat(requests).hasValue(0);
    }
  }

  @Test
  void delayedReplyComesLaterThanTheClientWaits() throws IOException {
    try (Socket client = client()) {
      client.setSoTimeout(BRIEF_MS);
      proxy.delay(Duration.ofMillis(400));
      assertThatThrownBy(() -> ask(client, 8)).isInstanceOf(SocketTimeoutException.class);
      client.setSoTimeout((int) SOON.toMillis());
      assertThat(client.getInputStream().read()).isEqualTo(8);
    }
  }

  @Test
  void serverThatIsDownBreaksTheConnection() throws IOException {
    int port = echo.getLocalPort();
    echo.close();
    // A thread that was accepting may still take one connection while the socket closes.
    Await.until("the server is down", SOON, () -> isRefused(port));
    try (Socket client = client()) {
      assertThatThrownBy(() -> ask(client, 9)).isInstanceOf(IOException.class);
    }
  }

  private static boolean isRefused(int port) throws IOException {
    try (Socket taken = new Socket(Ports.loopback(), port)) {
      return !taken.isConnected();
    } catch (ConnectException e) {
      return true;
    }
  }

  private Socket client() throws IOException {
    Socket client = new Socket(Ports.loopback(), proxy.port());
    client.setSoTimeout((int) SOON.toMillis());
    return client;
  }

  // Who connects in the very moment is let in, and then shown out.
  private int askNewly() throws IOException {
    try (Socket client = client()) {
      return ask(client, 0);
    }
  }

  private static int ask(Socket client, int question) throws IOException {
    client.getOutputStream().write(question);
    int answer = client.getInputStream().read();
    if (answer < 0) {
      throw new SocketException("The connection has ended");
    }
    return answer;
  }

  private void serve() {
    while (!echo.isClosed()) {
      try {
        Socket client = echo.accept();
        ProxiedConnection.run("echo-client", () -> answer(client));
      } catch (IOException e) {
        return; // closed at the end of the test
      }
    }
  }

  private void answer(Socket client) {
    try (client) {
      InputStream in = client.getInputStream();
      for (int asked = in.read(); asked >= 0; asked = in.read()) {
        requests.incrementAndGet();
        client.getOutputStream().write(asked);
      }
    } catch (IOException e) {
      return; // the client went away, as tests here make it do
    }
  }
}
