// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.examples.Settings;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Admin;
import javax.sql.DataSource;

/**
 * A step of a deployment, run with the new build before its instances start: does it read every
 * type and version that is still there? It ends with 0 if so, and with 1 if not, naming each. What
 * ends in another way, such as a database that does not answer, has not looked: go on with 0 alone.
 */
public final class DeploymentGate {

  private static final String SCHEMA = "public";
  private static final int UNREAD = 1;
  private static final int NOT_LOOKED = 2;

  private DeploymentGate() {}

  /**
   * Asks the database.
   *
   * @param args the settings file
   */
  public static void main(String[] args) {
    System.exit(exitCode(args));
  }

  private static int exitCode(String[] args) {
    try (HikariDataSource dataSource = Settings.of(args[0]).database()) {
      requireRead(dataSource);
      return 0;
    } catch (ConfigurationException e) {
      System.err.println(e.getMessage());
      return e.code() == ErrorCode.UNREGISTERED_TYPE ? UNREAD : NOT_LOOKED;
    } catch (Throwable e) { // also a class that is not there: the JVM would end with 1
      System.err.println("nothing was compared: " + e);
      return NOT_LOOKED;
    }
  }

  private static void requireRead(DataSource dataSource) {
    EventTypes.Builder types = EventTypes.builder();
    Upcasts.register(types);
    RenewalSaga.events(types);
    Events events = Events.builder().types(types).serializer(JacksonSerializer.create()).build();
    Admin.of(dataSource, SCHEMA).storedTypes(events, new RenewalSaga()).requireRead();
  }
}
