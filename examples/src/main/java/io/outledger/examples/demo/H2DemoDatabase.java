// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.examples.shop.ShopOnH2;
import io.outledger.servers.Ports;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.h2.Driver;

/**
 * H2: two files, which the services' process alone can open. It runs H2's server, so that others
 * can look in meanwhile.
 *
 * @param title its name and version
 * @param folder where the files are; whoever made it deletes it
 * @param port where H2's server listens
 * @param password of H2's administrator
 */
record H2DemoDatabase(String title, Path folder, int port, String password)
    implements DemoDatabase {

  private static final String USER = "sa";

  // By default H2 writes commits to the file half a second later, and a killed process loses them.
  // H2's own hook would close the database before the services have ended.
  private static final String SETTINGS = ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";

  static DemoDatabase start(Path folder) throws SQLException {
    String password = UUID.randomUUID().toString();
    return new H2DemoDatabase(DemoDatabases.title("jdbc:h2:mem:"), folder, Ports.free(), password);
  }

  @Override
  public String details() {
    return "files of orders and inventory, WRITE_DELAY=0";
  }

  @Override
  public Map<String, String> settings(String name) {
    return Map.of(
        "database.url",
        "jdbc:h2:file:" + folder.resolve(name) + SETTINGS,
        "database.user",
        USER,
        "database.password",
        password,
        "h2.port",
        Integer.toString(port),
        "h2.folder",
        folder.toString());
  }

  @Override
  public Connection connect(String name) throws SQLException {
    return DriverManager.getConnection(serverUrl(name), USER, password);
  }

  @Override
  public Columns columns() {
    return new TypedColumns();
  }

  @Override
  public Services services(Wiring wiring) {
    return new ServicesInOneProcess(wiring, ShopOnH2.class);
  }

  @Override
  public List<Role> roles(Ledger orders, Ledger inventory) {
    return List.of();
  }

  @Override
  public String command(String name, String sql) {
    return "java -cp %s org.h2.tools.Shell -url %s -user %s -password %s -sql '%s'"
        .formatted(jar(), serverUrl(name), USER, password, sql);
  }

  @Override
  public void close() {}

  private String serverUrl(String name) {
    return "jdbc:h2:tcp://127.0.0.1:" + port + "/./" + name;
  }

  private static String jar() {
    return Driver.class.getProtectionDomain().getCodeSource().getLocation().getPath();
  }
}
