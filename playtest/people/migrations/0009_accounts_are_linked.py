from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("people", "0008_retention")]

    operations = [migrations.AlterModelManagers(name="staff", managers=[])]
