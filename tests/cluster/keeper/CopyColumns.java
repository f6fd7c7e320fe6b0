import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/**
 * Makes Keeper believe that copies of tables have the columns of the table already, as it does when
 * a replica is killed after it has said so, and before it has written them down.
 *
 * java -cp JARS CopyColumns.java PORT REPLICA TABLE...
 */
class CopyColumns {
  public static void main(String[] args) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    try (ZooKeeper keeper = new ZooKeeper("127.0.0.1:" + args[0], 10_000, event -> {
      if (event.getState() == KeeperState.SyncConnected) connected.countDown();
    })) {
      connected.await();
      for (int i = 2; i < args.length; i++) {
        byte[] columns = keeper.getData(args[i] + "/columns", false, null);
        keeper.setData(args[i] + "/replicas/" + args[1] + "/columns", columns, -1);
      }
    }
  }
}
