@Document(collection = "tokens")
public class Token {
  @Indexed(expireAfter = "10d")
  private Date createdAt;

  @Indexed(unique = true)
  private String name;
}
