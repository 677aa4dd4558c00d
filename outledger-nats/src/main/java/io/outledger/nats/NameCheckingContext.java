// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * A context for TLS whose sockets check that a server's certificate is for the host they connect
 * to. NATS's client leaves that out: whoever has a certificate of a known authority for any name
 * could pass for the server. Thread-safe.
 */
final class NameCheckingContext extends SSLContext {

  NameCheckingContext(SSLContext given) {
    super(new Checked(given), given.getProvider(), given.getProtocol());
  }

  /** The given context, but for its sockets. */
  private static final class Checked extends SSLContextSpi {
    private final SSLContext given;

    Checked(SSLContext given) {
      this.given = given;
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return new Sockets(given.getSocketFactory());
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      given.init(keys, trust, random);
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return given.getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return given.createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return given.createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return given.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return given.getClientSessionContext();
    }
  }

  /** Makes sockets that check the name. */
  private static final class Sockets extends SSLSocketFactory {
    private final SSLSocketFactory given;

    Sockets(SSLSocketFactory given) {
      this.given = given;
    }

    private static Socket checking(Socket made) {
      if (made instanceof SSLSocket tls) {
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        tls.setSSLParameters(parameters);
      }
      return made;
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return given.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return given.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket() throws IOException {
      return checking(given.createSocket());
    }

    @Override
    public Socket createSocket(Socket over, String host, int port, boolean closesIt)
        throws IOException {
      return checking(given.createSocket(over, host, port, closesIt));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return checking(given.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort)
        throws IOException {
      return checking(given.createSocket(host, port, from, fromPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      return checking(given.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
        throws IOException {
      return checking(given.createSocket(host, port, from, fromPort));
    }
  }
}
